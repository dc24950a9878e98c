import type { Runner } from '@svc/contracts/runner'
import { useState } from 'react'
import { useStore, useWorkspace } from '../../data/use-workspace.ts'
import { NoAgent } from '../../parts/first-run/no-agent.tsx'
import { RunnerName } from '../../parts/runner/runner-name.tsx'
import { StepLink } from '../../shell/step-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Text } from '../../ui/text.tsx'
import { AgainIn, Ago } from '../../ui/time.tsx'
import { limitWords } from '../../words/reasons.ts'
import { capacityWords, lacksAgent, versionWords, wordsOfRunner } from '../../words/runners.ts'
import { RunnerDetails } from './runner-details.tsx'
import styles from './runners.module.css'

interface RowProps {
  runner: Runner
  /** All that are listed. */
  among: readonly Runner[]
  isOpenAtFirst: boolean
}

/** One machine: whether it is here, what it offers, and what keeps it from more. */
export function RunnerRow({ runner, among, isOpenAtFirst }: RowProps) {
  const [isOpen, open] = useState(isOpenAtFirst)
  const { id, platform, arch, version, state, lastHeardAt, capacity } = runner
  const details = `runner-${id}`
  const isBare = lacksAgent(runner)
  return (
    <li className={styles['runner']} data-runner={id}>
      <div className={styles['line']}>
        <Badge of={wordsOfRunner(runner)} />
        <h2 className={styles['heading']}>
          <button
            type="button"
            className={styles['name']}
            aria-expanded={isOpen}
            aria-controls={details}
            onClick={() => open(!isOpen)}
          >
            <RunnerName runner={runner} among={among} />
          </button>
        </h2>
        <span className={styles['facts']}>
          <Text>{`${platform} ${arch}`}</Text>
          <Text>{version}</Text>
          {state !== 'connected' && (
            <span>
              heard of <Ago at={lastHeardAt} />
            </span>
          )}
          {state === 'connected' && !isBare && <span>{capacityWords(capacity)}</span>}
        </span>
      </div>
      {isBare && <NoAgent />}
      <Hindered runner={runner} />
      <div id={details}>{isOpen && <RunnerDetails id={id} />}</div>
    </li>
  )
}

/** What keeps it from taking all that it could. */
function Hindered({ runner: { version, heldAgents } }: { runner: Runner }) {
  const { version: service } = useStore(useWorkspace().service.connection)
  const tooFar = versionWords(version, service)
  if (tooFar === undefined && heldAgents.length === 0) return null
  return (
    <ul className={styles['hindered']} aria-label="What holds it up">
      {tooFar !== undefined && service !== undefined && (
        <li>
          <Text>{tooFar}</Text>
          <StepLink step={{ operation: 'installVersion', params: { version: service } }} />
        </li>
      )}
      {heldAgents.map(({ key, reason, until }) => (
        <li key={key}>
          <span>
            <Text>{key}</Text> is not offered: {limitWords[reason]} It is tried again{' '}
            <AgainIn at={until} />.
          </span>
          <StepLink step={{ operation: 'retryAgent', params: { agent: key } }} />
        </li>
      ))}
    </ul>
  )
}
