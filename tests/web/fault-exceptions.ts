import type { Exception } from './faults.ts'

/** What is called and changes nothing. */
export const questions: readonly string[] = ['features/webhooks checkEndpoint']

/** By the folder of the app and the operation, as the proofs are. */
export const exceptions: Readonly<Record<string, Exception>> = {
  // who has left, or is signed out, is at no page of the workspace
  'features/access endSignIns': { without: ['unauthenticated'], goes: 'at once' },
  'features/access leaveWorkspace': { goes: 'at once', without: ['lost'] },
  'features/project-settings linkProjectResource': { goes: 'when opened anew' },
  'features/review launchObjective': { takenBefore: true, by: 'Launch it' },
  'features/run cancelExecutionRequest': { goes: 'at once' },
  'parts/first-run createMission': { goes: 'when opened anew' },
  'parts/launch launchObjective': { goes: 'when opened anew' },
  'parts/statuses deleteProjectStatus': { goes: 'at once' },
  // a sign-in that has ended is what was wanted
  'shell endSignIn': { without: ['unauthenticated'], goes: 'at once' },
}
