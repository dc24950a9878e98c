import {
  type LaunchVariable,
  isReservedVariable,
  launchVariables,
  serverOnlyVariables,
} from '@svc/contracts/launch-environment'
import type { ProjectResource } from '@svc/contracts/project'
import type { Home } from '../files/home.ts'
import { maskText } from '../output/mask.ts'
import { type Catalog, type PlaceholderValue, fillVariable } from './placeholders.ts'

export interface LaunchFacts {
  missionId: string
  /** The display id. */
  objectiveId: string
  backendUrl: string
  executionRequestId: string
  generation: number
  workingDirectory: string
  contextFile: string
  tmpDirectory: string
  /** Every linked resource; a connected one has its path on this machine. */
  resources: readonly ProjectResource[]
  /** Key of the resource in which the agent works; null without resources. */
  currentResource: string | null
}

// spec: Resources and their fields > Launch environment variables
/** What each of the spec's placeholders stands for; a new variable needs its line here and nothing else. */
export function launchCatalog(facts: LaunchFacts): Catalog {
  const paths = connectedPaths(facts)
  const values: Record<LaunchVariable, PlaceholderValue> = {
    MISSION_ID: facts.missionId,
    SVC_MISSION_ID: facts.missionId,
    SVC_OBJECTIVE_ID: facts.objectiveId,
    SVC_BACKEND_URL: facts.backendUrl,
    SVC_EXECUTION_REQUEST_ID: facts.executionRequestId,
    SVC_EXECUTION_GENERATION: String(facts.generation),
    SVC_WORKING_DIRECTORY: facts.workingDirectory,
    SVC_CONTEXT_FILE: facts.contextFile,
    SVC_TMPDIR: facts.tmpDirectory,
    TMPDIR: facts.tmpDirectory,
    TMP: facts.tmpDirectory,
    TEMP: facts.tmpDirectory,
    SVC_PROJECT_RESOURCES: facts.resources.length > 0 ? JSON.stringify(facts.resources) : '',
    SVC_PROJECT_RESOURCES_PATHS: paths,
    SVC_PROJECT_RESOURCES_PATHS_CSV: paths.join(','),
    SVC_PRIMARY_RESOURCE_PATH: primaryPath(facts),
  }
  return new Map(Object.entries(values))
}

/** The agent's whole environment: what the runner inherited, the spec's variables, then the project's own. */
export function agentEnvironment(
  inherited: NodeJS.ProcessEnv,
  home: Pick<Home, 'bin' | 'scratch'>,
  catalog: Catalog,
  launchEnvVars: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment = withoutServerVariables(inherited)
  for (const name of Object.keys(launchVariables)) delete environment[name]
  for (const [name, value] of catalog) {
    environment[name] = typeof value === 'string' ? value : value.join(',')
  }
  if (environment['SVC_PROJECT_RESOURCES'] === '') delete environment['SVC_PROJECT_RESOURCES']
  for (const [name, value] of Object.entries(launchEnvVars)) {
    if (!isReservedVariable(name)) environment[name] = fillVariable(value, catalog)
  }
  putFirst(environment, 'PATH', home.bin)
  // Git takes no repository that the runner's folder happens to lie in for that of a scratch folder
  putFirst(environment, 'GIT_CEILING_DIRECTORIES', home.scratch)
  return environment
}

/** Variables that belong to the shell in which the project's commands run, and to its working directory. */
const ofTheShell = ['_', 'SHLVL', 'PWD', 'OLDPWD']

/** What the project's commands left, but the service's own names as they were before, and its command within reach. */
export function keepOwn(
  left: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
  { bin }: Pick<Home, 'bin'>,
): Record<string, string> {
  const isKept = (name: string) => isReservedVariable(name) || ofTheShell.includes(name)
  const theirs = Object.entries(left).filter(([name]) => !isKept(name))
  const own = Object.entries(before).filter(([name]) => isKept(name))
  const environment = Object.fromEntries([...theirs, ...own])
  if (!environment['PATH']?.split(':').includes(bin)) putFirst(environment, 'PATH', bin)
  return environment
}

/**
 * What a check runs with: the agent's environment without what lets it speak to the service, and with a scratch folder of
 * its own, since the session key lies in the agent's. Two names stay, by which the processes of a run are found.
 */
export function checkEnvironment(
  agents: Readonly<Record<string, string>>,
  tmpDirectory: string,
): Record<string, string> {
  const found = ['SVC_EXECUTION_REQUEST_ID', 'SVC_EXECUTION_GENERATION']
  const kept = Object.entries(agents).filter(
    ([name]) => found.includes(name) || !/^(?:SVC_|MISSION_ID$)/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    TMPDIR: tmpDirectory,
    TMP: tmpDirectory,
    TEMP: tmpDirectory,
  }
}

function putFirst(environment: Record<string, string>, name: string, path: string): void {
  const paths = [path, environment[name]].filter(Boolean)
  if (paths.length > 0) environment[name] = paths.join(':')
}

/** The runner's own as they are, and of the project's what a placeholder stands for: the rest may be secret. */
export function shownVariables(
  catalog: Catalog,
  launchEnvVars: Readonly<Record<string, string>>,
): Record<string, string> {
  const none: NodeJS.ProcessEnv = {}
  const masked = Object.entries(launchEnvVars).map(([name, value]) => [name, hide(value, catalog)])
  const nowhere = { bin: '', scratch: '' }
  return agentEnvironment(none, nowhere, catalog, Object.fromEntries(masked))
}

function hide(value: string, catalog: Catalog): string {
  const parts = value.split(/(\{[A-Z0-9_]+\})/).filter((part) => part !== '')
  const shown = parts.map((part) => (catalog.has(part.slice(1, -1)) ? part : maskText))
  return shown.filter((part, at) => part !== maskText || shown[at - 1] !== maskText).join('')
}

/** What the runner hands down: everything but the servers' own configuration. */
export function withoutServerVariables(inherited: NodeJS.ProcessEnv): Record<string, string> {
  const withheld: ReadonlySet<string> = new Set(serverOnlyVariables)
  const kept = Object.entries(inherited).filter(([name]) => !withheld.has(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']))
}

function connectedPaths({ resources }: LaunchFacts): string[] {
  return resources.filter(isConnected).map(({ path, permission }) => `${path}:${permission}`)
}

function primaryPath({ resources, currentResource }: LaunchFacts): string {
  const connected = resources.filter(isConnected)
  const primary = connected.find((resource) => resource.primary)
  const current = connected.find((resource) => resource.resourceKey === currentResource)
  return primary?.path ?? current?.path ?? ''
}

function isConnected(resource: ProjectResource): boolean {
  return resource.state === 'connected' && resource.path !== null
}
