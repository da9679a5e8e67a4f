/**
 * Models: "provider/model" → a language model that answers one trial, and what its tokens cost. This room knows providers,
 * their keys and prices, and the script. It keeps no conversation and makes no tool call: that is trial/.
 */
export type { Endpoint, ModelFactory, ModelTrial } from './modelFactory.ts';
export { type Cost, PRICE_LIST, type PricedTokens } from './prices.ts';
export { type ModelOptions, resolveModel } from './registry.ts';
