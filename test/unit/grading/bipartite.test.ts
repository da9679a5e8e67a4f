import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchEarliest } from '../../../src/engine/grading/bipartite.ts';
import { addBit, type Bits, emptyBits } from '../../../src/engine/grading/bits.ts';
import { longestInOrder } from '../../../src/engine/grading/sequence.ts';

type Graph = { edges: boolean[][]; required: number; columns: number };

const graph = fc
  .record({
    slots: fc.integer({ min: 0, max: 6 }),
    columns: fc.integer({ min: 0, max: 6 }),
    density: fc.integer({ min: 1, max: 9 }),
  })
  .chain(({ slots, columns, density }) =>
    fc.record({
      edges: fc.array(
        fc.array(
          fc.integer({ min: 0, max: 9 }).map((n) => n < density),
          { minLength: columns, maxLength: columns },
        ),
        { minLength: slots, maxLength: slots },
      ),
      required: fc.integer({ min: 0, max: slots }),
      columns: fc.constant(columns),
    }),
  );

function rowsOf({ edges, columns }: Graph): Bits[] {
  return edges.map((row) => {
    const bits = emptyBits(columns);
    row.forEach((edge, column) => {
      if (edge) addBit(bits, column);
    });
    return bits;
  });
}

/** Every way to give each slot a free column or none. */
function* assignments(edges: boolean[][], slot = 0, taken: readonly number[] = []): Generator<number[]> {
  const row = edges[slot];
  if (row === undefined) {
    yield [...taken];
    return;
  }
  for (const column of [-1, ...row.keys()]) {
    if (column === -1 || (row[column] === true && !taken.includes(column))) {
      yield* assignments(edges, slot + 1, [...taken, column]);
    }
  }
}

/** Most required, then most of all, then slot by slot the earliest column (none comes last). */
function bestByHand({ edges, required }: Graph): number[] {
  const served = (columns: readonly number[]): number => columns.filter((column) => column !== -1).length;
  const key = (columns: readonly number[]): number[] => [
    -served(columns.slice(0, required)),
    -served(columns),
    ...columns.map((column) => (column === -1 ? 99 : column)),
  ];
  let best: number[] | null = null;
  for (const columns of assignments(edges)) {
    if (best === null || isLess(key(columns), key(best))) best = columns;
  }
  return best ?? [];
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at !== -1 && (a[at] ?? 0) < (b[at] ?? 0);
}

describe('matchEarliest', () => {
  test('is the best matching by the tie rule, against brute force', () => {
    fc.assert(
      fc.property(graph, (given) => {
        expect([...matchEarliest(rowsOf(given), given.required, given.columns)]).toEqual(bestByHand(given));
      }),
      { numRuns: 1500 },
    );
  });

  test.each<[string, string[], number, number[]]>([
    ['a loose slot leaves the strict one its only column', ['11', '10'], 2, [1, 0]],
    ['the first slot takes the earliest, though another then gets nothing', ['11', '10', '01'], 3, [0, -1, 1]],
    ['a required slot comes before an optional one', ['11', '10', '11'], 2, [1, 0, -1]],
    ['required slots first, then as many as possible', ['11', '10'], 1, [1, 0]],
    ['beyond one word of bits', [`${'0'.repeat(40)}1`, '1'.repeat(41)], 2, [40, 0]],
  ])('%s', (_, pictures, required, expected) => {
    const edges = pictures.map((picture) => [...picture].map((mark) => mark === '1'));
    const given = { edges, required, columns: edges[0]?.length ?? 0 };
    expect([...matchEarliest(rowsOf(given), required, given.columns)]).toEqual(expected);
  });
});

describe('longestInOrder', () => {
  test('is the longest common subsequence with the earliest slots, against brute force', () => {
    fc.assert(
      fc.property(graph, (given) => {
        expect([...longestInOrder(rowsOf(given), given.columns)]).toEqual(longestByHand(given));
      }),
      { numRuns: 1500 },
    );
  });
});

/** Longest, then the earliest slots, then the earliest columns. */
function longestByHand({ edges }: Graph): number[] {
  const key = (columns: readonly number[]): number[] => [
    -columns.filter((column) => column !== -1).length,
    ...columns.map((column) => (column === -1 ? 1 : 0)),
    ...columns,
  ];
  let best: number[] | null = null;
  for (const columns of assignments(edges)) {
    const used = columns.filter((column) => column !== -1);
    if (used.some((column, index) => column <= (used[index - 1] ?? -1))) continue;
    if (best === null || isLess(key(columns), key(best))) best = columns;
  }
  return best ?? [];
}
