import type { Runner } from '@svc/contracts/runner'
import { useState } from 'react'
import { limits } from '../../data/contracts.values.ts'
import { useRead } from '../../data/reads.ts'
import { useSilence } from '../../data/use-silence.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { runners } from '../../parts/runner/reads.ts'
import { PageHead } from '../../shell/pages.tsx'
import { Shown } from '../../shell/shown.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { AddRunner } from './add-runner.tsx'
import { runnerKeys } from './keys.ts'
import { RunnerRow } from './runner-row.tsx'
import styles from './runners.module.css'
import { idsHere, sortedByName } from './sorted.ts'

/** So many are opened from the start: each is a read of its own. */
const openAtFirst = 4

/** The machines that agents run on. */
export function Page() {
  const { rights } = useWorkspace()
  const read = useRead(runners, {})
  const [before, begin] = useState<ReadonlySet<string> | 'once read'>()
  const mayAdd = rights.mayCall('claimExecutionRequest')
  const add = () => before === undefined && begin('once read')
  if (before === 'once read' && read.data) begin(idsHere(read.data.runners))
  else if (before === 'once read' && read.isError) begin(undefined)
  useSilence(['listRunners', 'getRunner'])
  useKeys(runnerKeys({ mayAdd, walk, add }))
  return (
    <>
      <PageHead title="Runners">
        {mayAdd && (
          <Button look="first" aria-keyshortcuts="c" onClick={add}>
            <Icon name="plus" /> Add a runner <Kbd>c</Kbd>
          </Button>
        )}
      </PageHead>
      <Shown of={read}>
        {({ runners: shown }) =>
          shown.length === 0 ? <NoRunner mayAdd={mayAdd} /> : <List of={shown} />
        }
      </Shown>
      {before instanceof Set && (
        <AddRunner
          before={before}
          shown={read.data?.runners ?? []}
          onClose={() => begin(undefined)}
        />
      )}
    </>
  )
}

function NoRunner({ mayAdd }: { mayAdd: boolean }) {
  return (
    <p>
      There is no runner yet. A runner starts agents on a machine of a person’s own
      {mayAdd ? ': add the first one.' : '. A member of this workspace adds the first one.'}
    </p>
  )
}

function List({ of }: { of: readonly Runner[] }) {
  const { rights } = useWorkspace()
  const sorted = sortedByName(of)
  return (
    <>
      <ul className={styles['runners']} aria-label="Runners">
        {sorted.map((one) => (
          <RunnerRow
            key={one.id}
            runner={one}
            among={of}
            isOpenAtFirst={sorted.length <= openAtFirst}
          />
        ))}
      </ul>
      {of.length >= limits.pageItemsMax && (
        <p>
          No more than {of.length} runners are listed, those that were heard of last.
          {rights.mayCall('removeRunner') &&
            ' Remove those that are used no more, and others take their places.'}
        </p>
      )}
    </>
  )
}

function walk(step: 1 | -1): false | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-runner] button[aria-expanded]')]
  const row = document.activeElement?.closest('[data-runner]')
  const at = rows.findIndex((button) => row?.contains(button))
  const next = at === -1 ? rows.at(step === 1 ? 0 : -1) : rows[at + step]
  if (next === undefined) return false
  next.focus()
  return undefined
}
