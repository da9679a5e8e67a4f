/**
 * Grading: from a transcript to checks, a verdict and a decision. Pure and synchronous: no I/O, no clock, no chance. The
 * same transcript and suite give the same result on every machine, at any later time.
 */
export { compareValue } from './compare.ts';
export { type MatchContext, matchCalls, type RouteResult } from './route.ts';
