/**
 * What every server inherits of the runner's environment. Enough for `npx`, `uvx`, `docker` and the like to find
 * programs, home, caches, certificates and the network; nothing that holds a key. The runner's environment holds provider
 * keys and CI tokens, and a server is a stranger: what it needs beyond this stands under its `env`.
 */
const INHERITED = {
  posix: [
    ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'TMPDIR', 'LANG', 'LANGUAGE', 'TZ'],
    ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR', 'DOCKER_HOST'],
    ...['http_proxy', 'https_proxy', 'no_proxy'],
  ],
  win32: [
    ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
    ...['PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME'],
    ...['USERPROFILE', 'WINDIR'],
  ],
  all: [
    ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'JAVA_HOME', 'NVM_DIR', 'PYENV_ROOT', 'VOLTA_HOME'],
    ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ],
} as const;

/**
 * The whole environment of a server process.
 *
 * @param definition what its definition sets; wins, and null takes away
 * @param base       the runner's environment
 */
export function serverEnvironment(
  definition: Readonly<Record<string, string | null>>,
  base: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const windows = platform === 'win32';
  const inherited = new Set<string>([...INHERITED.all, ...(windows ? INHERITED.win32 : INHERITED.posix)]);
  // Names on Windows differ in case only by accident.
  const known = (name: string): string => (windows ? name.toUpperCase() : name);
  const own = new Set(Object.keys(definition).map(known));
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || own.has(known(name))) continue;
    if (!inherited.has(known(name)) && (windows || !name.startsWith('LC_'))) continue;
    // An exported shell function is code; a proxy with a password is a secret.
    if (value.startsWith('()') || (/_proxy$/i.test(name) && value.includes('@'))) continue;
    environment[name] = value;
  }
  for (const [name, value] of Object.entries(definition)) if (value !== null) environment[name] = value;
  return environment;
}

/** A shorter text stands in too many places that are no secret. In characters. */
export const SHORTEST_SECRET = 8;

/** Whether a variable of this name holds a secret, if its value is long enough to be one. */
export function isSecret(name: string, value: string): boolean {
  return /KEY|TOKEN|SECRET|PASSWORD|AUTH|CREDENTIAL/i.test(name) && value.length >= SHORTEST_SECRET;
}
