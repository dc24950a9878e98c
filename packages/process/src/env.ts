import { readFileSync } from 'node:fs'
import {
  type EnvironmentName,
  type EnvironmentVariable,
  environmentVariables,
} from '@svc/contracts/environment'
import { launchVariables } from '@svc/contracts/launch-environment'
import { nearestOf } from '@svc/contracts/nearest'
import { z } from 'zod'

/** A bad or missing variable: names it and never shows its value. Ends the process with exit code 78. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

export type Environment = Readonly<Record<string, string | undefined>>

const table: Readonly<Record<string, EnvironmentVariable>> = environmentVariables

type Row<N extends EnvironmentName> = (typeof environmentVariables)[N]
type DefaultOf<N extends EnvironmentName> = Row<N> extends { default: infer D } ? D : undefined
/** Named where the table has a default for each app. */
type AppOf<N extends EnvironmentName> =
  DefaultOf<N> extends string | undefined ? [] : [app: keyof DefaultOf<N>]
type ReaderOf<N extends EnvironmentName> =
  DefaultOf<N> extends undefined ? Row<N>['schema'] : z.ZodPrefault<Row<N>['schema']>

/** The table's reader of one variable with its default, for the schema that an app hands to `readEnvironment`. */
export function variable<N extends EnvironmentName>(name: N, ...[app]: AppOf<N>): ReaderOf<N> {
  const { schema, default: given }: EnvironmentVariable = environmentVariables[name]
  const value = typeof given === 'object' ? given[String(app)] : given
  // the row alone decides whether there is a default, and its type says the same
  return (value === undefined ? schema : z.prefault(schema, value)) as ReaderOf<N>
}

/**
 * Reads what the schema names. An empty value counts as unset; a secret may lie in the file that `<NAME>_FILE` names.
 * Throws a ConfigurationError that lists every bad variable.
 */
export function readEnvironment<S extends z.ZodObject>(schema: S, env: Environment): z.infer<S> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, readValue(name, env)]),
  )
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => describeProblem(issue, given))
  throw new ConfigurationError(`Correct the environment: ${problems.join('; ')}.`)
}

function readValue(name: string, env: Environment): string | undefined {
  const file = mayLieInFile(name) ? env[`${name}_FILE`] : undefined
  if (!file) return env[name] || undefined
  if (env[name]) throw new ConfigurationError(`Give either ${name} or ${name}_FILE, not both.`)
  try {
    return readFileSync(file, 'utf8').trimEnd() || undefined
  } catch (cause) {
    throw new ConfigurationError(`Make the file that ${name}_FILE names readable.`, { cause })
  }
}

/** A secret of the service. What the command line and the tests read has other ways, such as `--token-file`. */
function mayLieInFile(name: string): boolean {
  const { secret, serverOnly } = table[name] ?? {}
  return secret === true && serverOnly === true
}

function describeProblem(issue: z.core.$ZodIssue, given: Record<string, unknown>): string {
  const name = String(issue.path[0] ?? 'environment')
  if (given[name] === undefined) return `${name} is required`
  return `${name}: ${issue.message}`
}

/** One sentence for each `SVC_*` name that no app knows, with the known name it was likely to be. */
export function unknownVariableWarnings(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && !knownNames.has(name))
    .map((name) => {
      const near = nearestOf(name, knownNames)
      return near === undefined
        ? `${name} is not known.`
        : `${name} is not known; did you mean ${near}?`
    })
}

const knownNames: ReadonlySet<string> = new Set([
  ...Object.keys(table),
  ...Object.keys(table)
    .filter(mayLieInFile)
    .map((name) => `${name}_FILE`),
  ...Object.keys(launchVariables),
])
