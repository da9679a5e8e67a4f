import { ended } from '../../sentence.ts';
import type { Expect } from '../../suite/model.ts';
import { answerOf, judgeAnswer } from '../answer.ts';
import type { Evidence } from '../evidence.ts';
import { differencesSentence } from '../sentences.ts';
import { type Evaluation, failed, notMeasured, onTheWhole, passed } from './evaluation.ts';
import { actualTexts, expectAsJson } from './resultChecks.ts';

/** What the runner's own call came to. Without an expectation, and with one that does not say otherwise, it must succeed. */
export function expectCheck(expect: Expect | null, evidence: Evidence): Evaluation {
  const [call] = evidence.judged;
  if (call === undefined) return onTheWhole(evidence, notMeasured('The call is not in the record.'));
  const wantsError = expect?.isError === true;
  const { state, text, differences } = judgeAnswer(expect, call, false, evidence.patterns);
  const more = {
    expected: expect === null ? { isError: false } : expectAsJson(expect),
    ...actualTexts([call]),
    wantedErrors: wantsError ? [call.id] : [],
  };
  switch (state) {
    case 'met':
      return passed(wantsError ? `${call.tool} ended in an error, as expected.` : `${call.tool} succeeded.`, {
        wantedErrors: more.wantedErrors,
      });
    case 'unknown':
      return notMeasured(`The call of ${call.tool} ${text}.`, more);
    case 'refused': {
      // A call that the end of the trial cut off has not come to anything yet.
      if (call.error?.kind === 'cancelled')
        return onTheWhole(evidence, failed(ended(`The call of ${call.tool} ${text}`), more));
      const why = differences.length === 0 ? '' : `: ${differencesSentence(differences, 'the result')}`;
      const succeeded = answerOf(call)?.isError === false;
      const stage = succeeded || wantsError ? 'requestSatisfied' : 'responseReturned';
      return failed(ended(`The call of ${call.tool} ${text}${why}`), { ...more, stage });
    }
  }
}
