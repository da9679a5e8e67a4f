import { dirname } from 'node:path';
import { McproveError } from '../../errors.ts';
import type { CaseInput } from '../keys/case.ts';
import type { Subject } from '../model.ts';
import { child } from '../pointer.ts';
import { resolveInside } from '../workspace.ts';
import type { CaseContext } from './case.ts';
import { expectOf } from './parts.ts';

/** What the case is about; an empty prompt where it does not say. */
export function subjectOf(members: CaseInput, at: string, context: CaseContext): Subject {
  const { prompt, tool, trace } = members;
  if (tool !== undefined) {
    const expect = members.expect === undefined ? null : expectOf(members.expect, child(at, 'expect'));
    return { kind: 'tool', at: child(at, 'tool'), tool, arguments: { ...members.arguments }, expect };
  }
  if (trace !== undefined) {
    const pointer = child(at, 'trace');
    return { kind: 'trace', at: pointer, path: pathOf(trace, pointer, context) };
  }
  return { kind: 'prompt', at: child(at, 'prompt'), prompt: prompt?.trim() ?? '' };
}

function pathOf(written: string, pointer: string, { workspace, file, report }: CaseContext): string {
  try {
    return resolveInside(workspace, dirname(file), written);
  } catch (error) {
    if (!(error instanceof McproveError)) throw error;
    report.add('SUITE012', pointer, error.message, error.hint === undefined ? {} : { hint: error.hint });
    return written;
  }
}
