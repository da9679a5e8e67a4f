import { expect, test } from 'vitest';
import { isSecret, serverEnvironment } from '../../../src/engine/servers/serverEnvironment.ts';

test.for<{
  name: string;
  platform: NodeJS.Platform;
  own?: Record<string, string | null>;
  base: NodeJS.ProcessEnv;
  env: object;
}>([
  {
    name: 'what it needs',
    platform: 'linux',
    base: { PATH: '/bin', HOME: '/home/me', LC_ALL: 'C', XDG_CACHE_HOME: '/c' },
    env: { PATH: '/bin', HOME: '/home/me', LC_ALL: 'C', XDG_CACHE_HOME: '/c' },
  },
  {
    name: 'no keys, and nothing unknown',
    platform: 'linux',
    base: {
      OPENAI_API_KEY: 'k',
      GITHUB_TOKEN: 't',
      AWS_PROFILE: 'p',
      NODE_OPTIONS: '--inspect',
      CI: 'true',
      MCPROVE_SERVER: 'x',
    },
    env: {},
  },
  {
    name: 'its own, which win',
    platform: 'linux',
    own: { PATH: '/own', A: '1' },
    base: { PATH: '/bin' },
    env: { PATH: '/own', A: '1' },
  },
  {
    name: 'without what it takes away',
    platform: 'linux',
    own: { HOME: null, A: null },
    base: { PATH: '/bin', HOME: '/home/me' },
    env: { PATH: '/bin' },
  },
  { name: 'no shell functions', platform: 'linux', base: { TERM: '() { :; }' }, env: {} },
  {
    name: 'a proxy, but not one with a password',
    platform: 'linux',
    base: { https_proxy: 'http://proxy:8080', HTTP_PROXY: 'http://me:secret@proxy:8080' },
    env: { https_proxy: 'http://proxy:8080' },
  },
  {
    name: 'Windows names in any case',
    platform: 'win32',
    base: { Path: 'C:\\', SystemRoot: 'C:\\Windows', Secret: 's' },
    env: { Path: 'C:\\', SystemRoot: 'C:\\Windows' },
  },
  {
    name: 'one PATH on Windows',
    platform: 'win32',
    own: { PATH: 'D:\\' },
    base: { Path: 'C:\\' },
    env: { PATH: 'D:\\' },
  },
])('$name', ({ platform, own = {}, base, env }) => {
  expect(serverEnvironment(own, base, platform)).toEqual(env);
});

test.for([
  ['API_KEY', '12345678', true],
  ['githubToken', 'abcdefgh', true],
  ['DB_PASSWORD', 'short', false],
  ['PORT', '300000000', false],
  ['AUTHORIZATION', 'Bearer 1', true],
] as const)('%s=%s secret: %s', ([name, value, secret]) => {
  expect(isSecret(name, value)).toBe(secret);
});
