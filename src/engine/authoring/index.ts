/**
 * From what is there to what a person would write: tools become a first suite. What is made here is text for a person to
 * read and change, and is read back before it is kept. Nothing is graded or run here, and no tool is called without leave.
 */
export { draftFirstSuite, type FirstSuite, type FirstSuiteRequest } from './draftFirstSuite.ts';
