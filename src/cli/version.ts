/** Written in by the build, from package.json. */
declare const MCPROVE_VERSION: string;

export const version = MCPROVE_VERSION;
