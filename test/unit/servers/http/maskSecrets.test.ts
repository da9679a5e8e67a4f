import { expect, test } from 'vitest';
import { maskSecrets } from '../../../../src/engine/servers/http/maskSecrets.ts';

const address = {
  kind: 'http',
  url: 'https://somebody:password1@example.com/mcp?key=query-secret&page=1',
  headers: { Authorization: 'Bearer token-secret', 'X-Mode': 'test' },
} as const;

test.for([
  ['Bad Bearer token-secret', 'Bad …'],
  ['Bad token-secret, twice token-secret', 'Bad …, twice …'],
  ['query-secret, password1 and somebody', '…, … and …'],
  ['a test on page 1', 'a test on page 1'],
] as const)('%s', ([text, masked]) => {
  expect(maskSecrets(text, address)).toBe(masked);
});
