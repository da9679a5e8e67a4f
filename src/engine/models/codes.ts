/** Every code of this room, with its meaning in a line. Codes are stable; a retired one is not used again. */
export const MODEL_CODES = {
  MODEL001: 'a model that is not known',
  MODEL002: 'a script that cannot be played',
  MODEL003: 'a model whose settings do not fit its provider',
  MODEL004: 'a model without the key that its provider asks for',
  MODEL005: "an endpoint that sends a model's requests elsewhere",
};

export type ModelCode = keyof typeof MODEL_CODES;
