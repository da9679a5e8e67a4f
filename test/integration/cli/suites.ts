/** Suites against the fault server. `@MARK@` becomes what tells the processes of a workspace apart. */

/** @param mode of the server, and what it is given */
function suite(cases: string, mode = 'ok', more = ''): string {
  return `mcprove: 1
servers:
  fault: { command: node, args: [fault.mjs, ${mode}], env: { TEST_MARK: '@MARK@' } }
${more}cases:
${cases}`;
}

export const passing = suite(`  - id: echoes
    tags: [smoke]
    prompt: Say hello.
    calls: [echo: { text: hello }]
    script:
      - calls: [echo: { text: hello }]
      - say: hello
  - id: adds
    tool: add
    arguments: { a: 1, b: 2 }
    expect: { json: { sum: 3 } }
`);

export const failing = suite(`  - id: wrong-argument
    prompt: Say hello.
    calls:
      - echo: { text: hello }
    script:
      - calls: [echo: { text: hullo }]
      - say: done
  - id: fine
    prompt: Say hello.
    calls: [echo]
    script: [calls: [echo: { text: hello }]]
`);

export const erroring = suite(
  `  - id: first
    tool: echo
    arguments: { text: hello }
  - id: second
    tool: echo
    arguments: { text: hello }
`,
  'exit',
);

/** One trial after the other sleeps for a minute. */
export function sleeping(mode = 'ok'): string {
  return suite(
    `  - id: quick
    tool: echo
    arguments: { text: hello }
  - id: sleeps
    tool: sleep
    arguments: { ms: 60000 }
`,
    mode,
  );
}

export const foreign = 'description: a suite of somebody else\nproviders: [openai]\ntests: []\n';
