import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { matchCalls } from '../../../src/engine/grading/index.ts';
import type { Discrepancy, Json } from '../../../src/engine/record.ts';
import type { MatchOptions } from '../../../src/engine/suite/model.ts';
import { call, MATCH, numbered, route } from './build.ts';

interface Row {
  name: string;
  calls: Parameters<typeof route>[0];
  actual: { tool: string; arguments: Json; result?: { isError: boolean; content: Json[] } }[];
  match: Partial<MatchOptions>;
  expect: {
    passed: boolean;
    missing?: string[];
    extra?: string[];
    mismatched?: string[];
    outOfOrder?: string[];
    paths?: string[];
  };
}

const file = new URL('../../fixtures/matching.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Row[] };

describe('the agreed cases of matching', () => {
  test('are all here', () => expect(cases).toHaveLength(61));

  test.each(cases)('$name', (row) => {
    const calls = numbered(
      row.actual.map(({ tool, arguments: args, result }) =>
        call(tool, args, result === undefined ? {} : { result: { ...result, bytes: 0, cut: false } }),
      ),
    );
    const found = matchCalls(
      route(row.calls),
      calls,
      { ...MATCH, ...row.match },
      {
        offered: [],
        toolListChanged: false,
        requireSuccess: true,
      },
    );
    const { passed, paths, ...lists } = row.expect;
    expect(found.outcome).toBe(passed ? 'passed' : 'failed');
    for (const [kind, tools] of Object.entries(lists)) {
      const name = kind === 'mismatched' ? 'argumentMismatch' : kind;
      expect({ [kind]: toolsOf(found.discrepancies, name) }).toEqual({ [kind]: tools });
    }
    if (paths !== undefined) {
      const differences = found.discrepancies.flatMap((each) =>
        each.kind === 'argumentMismatch' ? each.differences : [],
      );
      expect(differences.map((difference) => difference.path)).toEqual(paths);
    }
  });
});

function toolsOf(discrepancies: readonly Discrepancy[], kind: string): string[] {
  return discrepancies.filter((each) => each.kind === kind).map((each) => each.tool);
}
