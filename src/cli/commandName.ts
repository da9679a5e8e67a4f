/** How a person started mcprove, so that a command that is shown can be typed. */

/** `npx mcprove` for one who has it in a project and not on the path. */
export function commandName(env: Readonly<Record<string, string | undefined>>): string {
  // npm and its relatives set these for what they start, scripts of package.json too.
  const { npm_command: command, npm_lifecycle_event: script, npm_config_user_agent: agent = '' } = env;
  if (command === undefined && script === undefined) return 'mcprove';
  const [manager = 'npm'] = agent.split('/');
  return { pnpm: 'pnpm exec mcprove', yarn: 'yarn mcprove', bun: 'bunx mcprove' }[manager] ?? 'npx mcprove';
}
