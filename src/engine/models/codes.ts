/** Every code of this room, with its meaning in a line. Codes are stable; a retired one is not used again. */
const MODEL_CODES = {
  MODEL001: 'a model that is not known',
  MODEL002: 'a script that cannot be played',
};

export type ModelCode = keyof typeof MODEL_CODES;
