import type { ExecutionRequest, LaunchConfig } from '@svc/contracts/execution-request'
import { Fold } from '../../ui/fold.tsx'
import { Text } from '../../ui/text.tsx'
import { duration } from '../../words/duration.ts'
import { sourceWords } from '../../words/launch.ts'
import { money, short } from '../../words/mission.ts'
import { clock, moment } from '../../words/moment.ts'
import type { Step } from './steps.ts'
import styles from './run.module.css'

/** How it came on, each step with its time. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles['steps']} aria-label="Steps">
      {steps.map(({ key, of, at, seconds, said }) => (
        <li key={key} data-tone={of.tone} title={said}>
          <span aria-hidden="true">{of.sign}</span> {of.word}{' '}
          <time dateTime={at} title={moment(new Date(at))}>
            {seconds === undefined ? clock(Date.parse(at)) : `+${duration(seconds)}`}
          </time>
        </li>
      ))}
    </ol>
  )
}

/** What its agent said that it used, and how long it took. */
export function Used({ run: { usage, seconds } }: { run: ExecutionRequest }) {
  const said = [
    ...(usage?.inputTokens === undefined ? [] : [`${short(usage.inputTokens)} in`]),
    ...(usage?.outputTokens === undefined ? [] : [`${short(usage.outputTokens)} out`]),
    ...(usage?.usd === undefined ? [] : [money(usage.usd)]),
    ...(seconds === null ? [] : [`took ${duration(seconds)}`]),
  ]
  if (said.length === 0) return null
  return <span className={styles['used']}>{said.join(' · ')}</span>
}

const configWords: Readonly<Record<keyof LaunchConfig, string>> = {
  agent: 'Agent',
  model: 'Model',
  reasoningEffort: 'Effort',
  preCommand: 'Command before it',
  flags: 'Flags',
}

/** What it was launched with, each value with where it came from. */
export function Settings({ run }: { run: ExecutionRequest }) {
  // the keys of an object literal are its key type; Object.keys only says string
  const names = Object.keys(configWords) as (keyof LaunchConfig)[]
  const places = [
    ['Resource', run.resourceKey],
    ['Runner asked for', run.onlyRunner],
    ['Folder', run.workingDirectory],
    ['Branch', run.branch],
    ['Begins at', run.baseSha],
    ...run.otherBranches.map((other) => [`Branch in ${other.resourceKey}`, other.branch] as const),
  ] as const
  return (
    <Fold summary="Settings">
      <dl className={styles['settings']}>
        {names.map((name) => {
          const { value, source } = run.config[name]
          const shown = Array.isArray(value) ? value.join(' ') : value
          return (
            <div key={name}>
              <dt>{configWords[name]}</dt>
              <dd>
                {shown === null || shown === '' ? 'none' : <Value>{shown}</Value>}{' '}
                <span className={styles['source']}>{sourceWords[source]}</span>
              </dd>
            </div>
          )
        })}
        {places.map(([name, value]) => {
          if (value === null) return null
          return (
            <div key={name}>
              <dt>
                <Text>{name}</Text>
              </dt>
              <dd>
                <Value>{value}</Value>
              </dd>
            </div>
          )
        })}
        <div>
          <dt>Attempt</dt>
          <dd>{run.attempt}</dd>
        </div>
      </dl>
    </Fold>
  )
}

function Value({ children }: { children: string }) {
  return (
    <code>
      <Text>{children}</Text>
    </code>
  )
}
