/**
 * Looks at everything that a run needs before there is one: this machine, keys, servers, suites. Each finding says what to
 * do about it. Servers are started and asked what they offer, and ended again; no tool is called, no model is asked, and
 * nothing is written.
 */
export { type DoctorRequest, examine } from './examine.ts';
export type { Examination, Finding } from './finding.ts';
