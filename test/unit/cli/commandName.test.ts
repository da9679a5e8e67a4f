import { expect, it } from 'vitest';
import { commandName } from '../../../src/cli/commandName.ts';

it.each([
  [{}, 'mcprove'],
  [{ npm_command: 'exec', npm_lifecycle_event: 'npx' }, 'npx mcprove'],
  [
    { npm_command: 'run-script', npm_lifecycle_event: 'evals', npm_config_user_agent: 'npm/11.0 node/v24' },
    'npx mcprove',
  ],
  [{ npm_lifecycle_event: 'evals', npm_config_user_agent: 'pnpm/10.1 npm/? node/v24' }, 'pnpm exec mcprove'],
  [{ npm_lifecycle_event: 'evals', npm_config_user_agent: 'yarn/4.1 npm/? node/v24' }, 'yarn mcprove'],
  // Set by some shells' start-up files for all programs.
  [{ npm_config_user_agent: 'npm/11.0 node/v24' }, 'mcprove'],
])('%j: %s', (env, command) => {
  expect(commandName(env)).toBe(command);
});
