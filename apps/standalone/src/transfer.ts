import { runExport, runImport } from '@svc/admin/transfer'
import type { Running } from '@svc/process/run'
import type { Arguments } from './arguments.ts'
import { openStore } from './compose.ts'
import type { StandaloneEnvironment } from './env.ts'
import { say } from './speech.ts'
import type { Reporter } from './reporter.ts'

const output = { stdout: say, stderr: (text: string) => say(text.trimEnd()) }

/** What svc-admin does with a database and a key ring, with those of the data folder. */
export async function transfer(
  choices: Pick<Arguments, 'export' | 'import'>,
  environment: StandaloneEnvironment,
  { running, reporter: progress }: { running: Running; reporter: Reporter },
): Promise<void> {
  const { databaseUrl, secretKeys } = await openStore(environment, running, progress)
  const store = { ...environment, DATABASE_URL: databaseUrl, SVC_SECRET_KEYS: secretKeys }
  const { export: to, import: from } = choices
  if (to !== undefined)
    await runExport(store, { log: running.log, input: { file: to }, say: output })
  if (from !== undefined) await runImport(store, { input: { file: from }, say: output })
}
