/**
 * Models: "provider/model" → a language model that answers one trial, and what its tokens cost. This room knows providers,
 * their keys and prices, and the script. It keeps no conversation and makes no tool call: that is trial/.
 */
export type { ModelFactory } from './modelFactory.ts';
export { PRICE_LIST } from './prices.ts';
export { resolveModel } from './registry.ts';
