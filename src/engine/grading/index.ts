/**
 * Grading: from a transcript to checks, a verdict and a decision. Pure and synchronous: no I/O, no clock, no chance. The
 * same transcript and suite give the same result on every machine, at any later time.
 */
export { type CellTotals, stateAgainstBar } from './cellFigures.ts';
export { compareValue } from './compare.ts';
export { type DecisionInput, decide } from './decide.ts';
export { type TrialFacts, trialFacts } from './facts.ts';
export { type Grade, gradeTrial } from './gradeTrial.ts';
export { createPatterns } from './patterns.ts';
export { type MatchContext, matchCalls, type RouteResult } from './route.ts';
export { routeMet } from './routeMet.ts';
export { passAtK, passHatK, wilson } from './statistics.ts';
