import type { Runner } from '@svc/contracts/runner'
import { useRead } from '../../data/reads.ts'
import { Text } from '../../ui/text.tsx'
import { markOfRunner } from '../../words/runners.ts'
import { runners } from './reads.ts'
import styles from './runner.module.css'

type Named = Pick<Runner, 'id' | 'label'>

/** A runner by its name, and where others of these are called so by the end of its id as well. */
export function RunnerName({ runner, among }: { runner: Named; among: readonly Named[] }) {
  const mark = markOfRunner(runner, among)
  return (
    <>
      <Text>{runner.label}</Text>
      {mark !== undefined && (
        <span className={styles['mark']} title="Another runner has the same name.">
          {' '}
          ({mark})
        </span>
      )}
    </>
  )
}

/** The one that has a run, by its name in the workspace. */
export function RunnerOfRun({ id, label }: { id: string | null; label: string }) {
  const known = useRead(runners, {}, { enabled: id !== null }).data?.runners ?? []
  return id === null ? <Text>{label}</Text> : <RunnerName runner={{ id, label }} among={known} />
}
