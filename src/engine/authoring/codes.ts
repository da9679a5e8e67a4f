/** Every code of this room, with its meaning in a line. Codes are stable; a retired one is not used again. */
export const AUTHORING_CODES = {
  INIT001: 'no configured server to write a suite for',
  INIT002: 'several servers, and nobody to ask which one is meant',
  INIT003: 'a server or tool that there is not',
  INIT004: 'a server or tool that no case can be written for',
  INIT005: 'a file that exists already, or cannot be written',
} as const;

export type AuthoringCode = keyof typeof AUTHORING_CODES;
