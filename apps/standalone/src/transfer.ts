import { runExport, runImport } from '@svc/admin/transfer'
import type { Running } from '@svc/process/run'
import type { Arguments } from './arguments.ts'
import { openStore } from './compose.ts'
import type { StandaloneEnvironment } from './env.ts'
import { say } from './speech.ts'
import type { Told } from './told.ts'

const told = { stdout: say, stderr: (text: string) => say(text.trimEnd()) }

/** What svc-admin does with a database and a key ring, with those of the data folder. */
export async function transfer(
  choices: Pick<Arguments, 'export' | 'import'>,
  environment: StandaloneEnvironment,
  { running, told: progress }: { running: Running; told: Told },
): Promise<void> {
  const { databaseUrl, secretKeys } = await openStore(environment, running, progress)
  const store = { ...environment, DATABASE_URL: databaseUrl, SVC_SECRET_KEYS: secretKeys }
  const { export: to, import: from } = choices
  if (to !== undefined) await runExport(store, { log: running.log, input: { file: to }, say: told })
  if (from !== undefined) await runImport(store, { input: { file: from }, say: told })
}
