import type { Setting } from './launch-texts.ts'

/** What people call each of the launch settings; a new one without its name does not compile. */
export const settingNames: Readonly<Record<Setting, string>> = {
  preCommand: 'Command in front of the agent',
  preLaunchCommands: 'Commands before the agent',
  launchEnvVars: 'Variables',
  agents: 'Agents',
  allowedCommands: 'Commands that agents may run',
  checks: 'Checks before a delivery',
  pushBranches: 'Branches of runs',
}
