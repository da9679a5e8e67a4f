import type { Call } from '../../record.ts';
import { matchesTool } from '../../suite/toolName.ts';
import type { Evidence } from '../evidence.ts';
import { listed } from '../inWords.ts';
import { calledTools } from './calledTools.ts';
import { type Evaluation, failed, onTheWhole, passed } from './evaluation.ts';

export function onlyTools(allowed: readonly string[], evidence: Evidence): Evaluation {
  const others = calledTools(evidence, (call) => !allowed.some((tool) => matchesTool(tool, call.server, call.tool)));
  const found = { expected: [...allowed], actual: calledTools(evidence) };
  if (others.length > 0) return failed(`${listed(others)} was called, which is not among the tools allowed.`, found);
  const reason = evidence.calls.length === 0 ? 'No tool was called.' : 'No other tool was called.';
  return onTheWhole(evidence, passed(reason, found));
}

export function firstTool(tool: string, evidence: Evidence): Evaluation {
  const [first] = evidence.calls;
  if (first === undefined) return onTheWhole(evidence, failed('No tool was called.', { expected: tool }));
  return atEnd(tool, first, 'first');
}

export function lastTool(tool: string, evidence: Evidence): Evaluation {
  const last = evidence.calls.at(-1);
  if (last === undefined) return onTheWhole(evidence, failed('No tool was called.', { expected: tool }));
  return onTheWhole(evidence, atEnd(tool, last, 'last'));
}

function atEnd(tool: string, call: Call, which: 'first' | 'last'): Evaluation {
  const found = { expected: tool, actual: call.tool };
  const fits = matchesTool(tool, call.server, call.tool);
  return (fits ? passed : failed)(`The ${which} tool called was ${call.tool}.`, found);
}

/** Of each two neighbours in the list, every call of the second has a call of the first before it. */
export function toolOrder(order: readonly string[], evidence: Evidence): Evaluation {
  const found = { expected: [...order], actual: evidence.calls.slice(0, 50).map((call) => call.tool) };
  for (const [index, tool] of order.entries()) {
    const before = order[index - 1];
    if (before === undefined) continue;
    const of = (name: string) => evidence.calls.findIndex((call) => matchesTool(name, call.server, call.tool));
    const at = of(tool);
    const earlier = of(before);
    if (at === -1 || (earlier !== -1 && earlier < at)) continue;
    return failed(`${tool} was called without ${before} before it.`, found);
  }
  return onTheWhole(evidence, passed('The tools were called in this order.', found));
}
