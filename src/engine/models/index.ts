/**
 * Models: "provider/model" → a language model that answers one trial. This room knows providers and the script. It keeps no
 * conversation and makes no tool call: that is trial/.
 */
export type { ModelFactory } from './modelFactory.ts';
export { resolveModel } from './registry.ts';
