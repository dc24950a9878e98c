import { type EnvironmentVariable, environmentVariables } from './environment.ts'

// spec: Resources and their fields > Launch environment variables

/** Set on the agent process by the runner. */
export const launchVariables = {
  MISSION_ID: 'the mission that is worked on',
  SVC_MISSION_ID: 'the mission that is worked on',
  SVC_OBJECTIVE_ID: 'display id of the objective; attach forwards it',
  SVC_BACKEND_URL: 'address of the service for the calls of the agent',
  SVC_EXECUTION_REQUEST_ID: 'the request behind this launch; attach forwards it',
  SVC_EXECUTION_GENERATION: 'which claim of the request this is; attach forwards it',
  SVC_WORKING_DIRECTORY: 'absolute path in which the agent starts',
  SVC_CONTEXT_FILE: 'absolute path of the briefing',
  SVC_TMPDIR: 'folder for the temporary files of the run, below the home of its runner',
  TMPDIR: 'folder for the temporary files of the run, below the home of its runner',
  TMP: 'folder for the temporary files of the run, below the home of its runner',
  TEMP: 'folder for the temporary files of the run, below the home of its runner',
  SVC_PROJECT_RESOURCES:
    'JSON array of every linked resource, with the path at which this run works in it; unset without resources',
  SVC_PROJECT_RESOURCES_PATHS: 'connected paths with :rw or :ro, comma-separated',
  SVC_PROJECT_RESOURCES_PATHS_CSV: 'the same value',
  SVC_PRIMARY_RESOURCE_PATH: 'path of the primary, else the current connected resource, or empty',
} as const
export type LaunchVariable = keyof typeof launchVariables

/** Configuration of server processes: never handed to a runner or an agent. Decision 44. */
export const serverOnlyVariables: readonly string[] = Object.entries<EnvironmentVariable>(
  environmentVariables,
)
  .filter(([, variable]) => variable.serverOnly)
  .flatMap(([name, variable]) => (variable.secret ? [name, `${name}_FILE`] : [name]))

/** A project's own variables may not take these names. Decision 44. */
export function isReservedVariable(name: string): boolean {
  return name in launchVariables || /^(SVC_|LD_|DYLD_)/.test(name)
}
