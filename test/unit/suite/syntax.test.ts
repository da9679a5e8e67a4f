import { describe, expect, test } from 'vitest';
import { problemsIn } from './reading.ts';

const deep = (levels: number) =>
  `mcprove: 1\nx-a: ${'['.repeat(levels)}${']'.repeat(levels)}\ncases: [{prompt: a, calls: none}]\n`;

describe('what is wrong with the YAML of a suite', () => {
  test.each<[name: string, text: string, problems: string[]]>([
    [
      'a tab as indentation',
      'mcprove: 1\ncases:\n\t- prompt: a\n',
      ['3:1 error YAML001 a tab is used as indentation. Use spaces.'],
    ],
    [
      'a quote that is never closed is shown where it opens',
      "mcprove: 1\ncases:\n  - prompt: 'a\n    calls: none\n",
      ['3:13 error YAML002 a text opened here is never closed.'],
    ],
    [
      'a double quote that is never closed',
      'mcprove: 1\nname: "a\ncases: []\n',
      ['2:7 error YAML002 a text opened here is never closed.'],
    ],
    [
      'a bracket that is never closed',
      'mcprove: 1\ncases:\n  - prompt: a\n    calls: [b, c\n    name: d\n',
      ['4:12 error YAML002 a list opened here is never closed.'],
    ],
    [
      'a duplicate key names both places',
      'mcprove: 1\nname: a\ncases: [{prompt: a, calls: none}]\nname: b\n',
      ['4:1 error YAML003 "name" is already set at 2:1.'],
    ],
    [
      'two documents',
      'mcprove: 1\ncases: [{prompt: a, calls: none}]\n---\nmcprove: 1\n',
      ['3:1 error YAML004 only one document is allowed. Remove "---" or split the file.'],
    ],
    ['64 levels are allowed', deep(63), []],
    ['the 65th is not', deep(64), ['2:69 error YAML005 nesting deeper than 64 levels; the file is not read further.']],
    [
      'an alias without an anchor, with a near one',
      'mcprove: 1\nx-a: &bases [a]\ncases:\n  - prompt: a\n    calls: *base\n',
      ['5:12 error YAML007 alias *base has no anchor before it. Did you mean *bases (2:13)?'],
    ],
    [
      'a glob without quotes is taken for an alias',
      'mcprove: 1\ncases:\n  - prompt: a\n    assert: [toolNotCalled: *_delete]\n',
      [`4:29 error YAML007 alias *_delete has no anchor before it. Quote a text that begins with "*": '*_delete'.`],
    ],
    [
      'a star alone',
      'mcprove: 1\ncases:\n  - prompt: a\n    calls: none\n    tools: { deny: [*] }\n',
      [`5:21 error YAML007 "*" at the beginning of a value names an alias. Quote it: '*'.`],
    ],
    [
      'a tag',
      'mcprove: 1\ncases:\n  - prompt: !!js/function a\n    calls: none\n',
      ['3:13 error YAML008 tags are not supported. A suite holds data only; quote a text that begins with "!".'],
    ],
    [
      'reserved keys',
      'mcprove: 1\nmetadata: { __proto__: { a: 1 }, "constr\\u0075ctor": 1, prototype: 1 }\ncases: [{prompt: a, calls: none}]\n',
      [
        '2:13 error YAML009 reserved key "__proto__". Choose another name.',
        '2:34 error YAML009 reserved key "constructor". Choose another name.',
        '2:57 error YAML009 reserved key "prototype". Choose another name.',
      ],
    ],
    [
      'a list as key',
      'mcprove: 1\nmetadata:\n  ? [a]\n  : b\ncases: [{prompt: a, calls: none}]\n',
      ['3:5 error YAML010 keys must be plain text.'],
    ],
    [
      'an alias as key',
      'mcprove: 1\nx-a: &b c\nmetadata:\n  *b : d\ncases: [{prompt: a, calls: none}]\n',
      [`4:3 error YAML010 keys must be plain text. Quote it: '*b'.`],
    ],
    [
      'a placeholder without quotes, alone',
      'mcprove: 1\ncases:\n  - prompt: {{city}}  # a comment\n    vars: {city: a}\n    calls: none\n',
      ["3:13 error YAML010 {{city}} without quotes is a map to YAML, not a placeholder. Quote it: '{{city}}'."],
    ],
    [
      'a placeholder without quotes, with more behind it, and a mistake on another line',
      'mcprove: 1\ncases:\n  - prompt: {{city}} is nice\n    vars: {city: a}\n    cals: none\n',
      [
        '3:13 error YAML010 {{city}} without quotes is a map to YAML, not a placeholder. Quote the whole value.',
        '5:5 error SUITE002 unknown key "cals" in case without a name. Did you mean "calls"?',
      ],
    ],
    ['NUL', 'mcprove: 1\nname: a\0b\n', ['2:8 error YAML012 a NUL character. A suite is a text file; is this one?']],
    [
      'a second colon',
      'mcprove: 1\ncases:\n  - prompt: Note: be brief\n    calls: none\n',
      [
        '3:13 error YAML013 a second ": " on one line. Quote a text that holds ": "; begin a map on a line of its own, indented.',
      ],
    ],
    [
      'a character that cannot begin a value',
      'mcprove: 1\ncases:\n  - prompt: @me\n    calls: none\n',
      ['3:13 error YAML013 a value without quotes cannot begin with "@". Quote it.'],
    ],
    [
      'an escape that is none',
      'mcprove: 1\ncases:\n  - prompt: "\\d"\n    calls: none\n',
      ['3:14 error YAML013 "\\d" is no escape sequence. Use single quotes, in which a backslash is a backslash.'],
    ],
    [
      'a missing colon',
      'mcprove: 1\nname\ncases: []\n',
      ['2:1 error YAML013 a key must stand on one line. Is a ":" missing, or a line indented wrongly?'],
    ],
    [
      'a list beside its key',
      'mcprove: 1\nmodels: - scripted\ncases: []\n',
      ['2:9 error YAML013 a list cannot begin on the line of its key. Begin it on the next line, or write [a, b].'],
    ],
    [
      'a directive',
      '%YAML 1.1\n---\nmcprove: 1\ncases: [{prompt: a, calls: none}]\n',
      ['1:1 error YAML013 directives are not supported. A suite is always YAML 1.2; remove the line.'],
    ],
    [
      'a merge of something else than a map',
      'mcprove: 1\nmetadata: { <<: a }\ncases: [{prompt: a, calls: none}]\n',
      ['2:17 error YAML013 "<<" merges a map, or a list of maps.'],
    ],
    [
      'a number that JSON cannot hold',
      'mcprove: 1\nmetadata: { a: .inf }\ncases: [{prompt: a, calls: none}]\n',
      ['2:16 error YAML014 .inf is not a number that JSON can hold. Quote a text.'],
    ],
  ])('%s', (_, text, problems) => {
    expect(problemsIn(text)).toEqual(problems);
  });

  test('a file over 5 MiB', () => {
    expect(problemsIn(`mcprove: 1\n${'#'.repeat(5 * 1024 * 1024)}\n`)).toEqual([
      '1:1 error YAML011 file is 5.0 MiB; the limit is 5 MiB.',
    ]);
  });

  test('a comment and a marker at both ends are one document', () => {
    expect(problemsIn('# a suite\n---\nmcprove: 1\ncases: [{prompt: a, calls: none}]\n...\n')).toEqual([]);
  });
});

describe('aliases', () => {
  test('ten levels of ten are counted, not expanded', () => {
    const levels = Array.from(
      { length: 9 },
      (_, index) => `x-${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(10)}]`,
    );
    expect(problemsIn(`mcprove: 1\nx-0: &a0 [a, a, a, a, a, a, a, a, a, a]\n${levels.join('\n')}\n`)).toEqual([
      '7:46 error YAML006 more than 1,000,000 values, aliases expanded. Split the suite into several files.',
    ]);
  });

  test('an alias inside what it names', () => {
    expect(problemsIn('mcprove: 1\nx-a: &a { b: *a }\ncases: []\n')).toEqual([
      '2:14 error YAML006 alias *a stands inside the value that it names.',
    ]);
  });

  test('aliases in aliases make no nesting deeper than 64', () => {
    const chain = Array.from({ length: 70 }, (_, index) => `x-${index + 1}: &a${index + 1} [*a${index}]`);
    expect(problemsIn(`mcprove: 1\nx-0: &a0 [a]\n${chain.join('\n')}\n`)).toEqual([
      '65:13 error YAML005 nesting deeper than 64 levels; the file is not read further.',
    ]);
  });
});
