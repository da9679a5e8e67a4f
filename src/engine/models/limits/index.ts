/**
 * Limits: how many requests a provider gets at a time, and when one that failed is sent again. Nothing here knows trials or
 * runs; who waits, and why, is told to whoever asks the model.
 */
export { Gate, type Place } from './gate.ts';
export { limited, type Retry } from './limited.ts';
