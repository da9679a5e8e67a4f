import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { RunHead } from '../record.ts';

const GIT_TIMEOUT_MS = 2000;
const LARGEST_STATUS = 4 * 1024 * 1024;

/**
 * The commit that a folder stands at, and whether tracked files differ from it. Null where there is no git, no repository,
 * no commit, or no answer within 2 s: a run never fails for it.
 */
export async function gitFacts(folder: string, signal?: AbortSignal): Promise<RunHead['git']> {
  const status = await gitStatus(folder, signal);
  const commit = status?.match(/^# branch\.oid ([0-9a-f]{40,64})$/m)?.[1];
  if (status === null || commit === undefined) return null;
  return { commit, dirty: /^[^#\n]/m.test(status) };
}

function gitStatus(folder: string, signal: AbortSignal | undefined): Promise<string | null> {
  // A repository's own configuration may name a command as file system monitor: never run it.
  const quietly = ['--no-optional-locks', '-c', 'core.fsmonitor=false'];
  const args = [...quietly, 'status', '--porcelain=v2', '--branch', '--untracked-files=no'];
  return new Promise((resolve) => {
    const git = spawn('git', args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: GIT_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
      ...(signal === undefined ? {} : { signal }),
    });
    git.on('error', () => resolve(null));
    // Where the process may open no more files there is no pipe, whatever the types say.
    const stdout: Readable | null | undefined = git.stdout;
    const chunks: Buffer[] = [];
    let size = 0;
    stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LARGEST_STATUS) chunks.push(chunk);
    });
    git.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks).toString() : null));
  });
}

/** What tells each CI service apart: a variable that it sets in every job. */
const SERVICES: readonly (readonly [variable: string, name: string])[] = [
  ['GITHUB_ACTIONS', 'GitHub Actions'],
  ['GITLAB_CI', 'GitLab CI'],
  ['TF_BUILD', 'Azure Pipelines'],
  ['CIRCLECI', 'CircleCI'],
  ['BUILDKITE', 'Buildkite'],
  ['JENKINS_URL', 'Jenkins'],
  ['TEAMCITY_VERSION', 'TeamCity'],
  ['BITBUCKET_BUILD_NUMBER', 'Bitbucket Pipelines'],
  ['TRAVIS', 'Travis CI'],
  ['DRONE', 'Drone'],
  ['CODEBUILD_BUILD_ID', 'AWS CodeBuild'],
];

/** The name of the CI service that runs this process, `CI` for one we do not know, null outside of any. */
export function ciName(env: Readonly<Record<string, string | undefined>>): string | null {
  for (const [variable, name] of SERVICES) if (isSet(env[variable])) return name;
  return isCi(env) ? 'CI' : null;
}

/** True when `CI` says so: set, and to neither `false` nor `0`. */
export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return isSet(env.CI);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}
