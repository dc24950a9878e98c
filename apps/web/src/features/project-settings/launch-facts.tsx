import type { ProjectLaunchSettings } from '@svc/contracts/launch-settings'
import type { ReactNode } from 'react'
import { limits, standingRights } from '../../data/contracts.values.ts'
import { Text } from '../../ui/text.tsx'
import { settingNames } from './setting-names.ts'
import styles from './settings.module.css'

interface LaunchFactsProps {
  settings: ProjectLaunchSettings
  showsValues: boolean
}

/** What is set, for those who look. */
export function LaunchFacts({ settings, showsValues }: LaunchFactsProps) {
  const { preCommand, preLaunchCommands, launchEnvVars, allowedCommands, pushBranches } = settings
  const variables = Object.entries(launchEnvVars).map(([name, value]) =>
    showsValues ? `${name}=${value}` : name,
  )
  return (
    <dl className={styles['facts']}>
      <Fact name={settingNames.preCommand}>
        <Lines of={preCommand === null ? [] : [preCommand]} />
      </Fact>
      <Fact name={settingNames.preLaunchCommands}>
        <Lines of={preLaunchCommands} />
      </Fact>
      <Fact name={settingNames.launchEnvVars}>
        <Lines of={variables} />
      </Fact>
      <Fact name={settingNames.agents}>
        <Agents of={settings.agents} />
      </Fact>
      <Fact name={settingNames.allowedCommands}>
        <Lines of={allowedCommands} />
      </Fact>
      <Fact name={settingNames.checks}>
        <Checks of={settings.checks} />
      </Fact>
      <Fact name={settingNames.pushBranches}>
        {pushBranches
          ? 'Runners push them to origin.'
          : 'They stay on the machine of their runner.'}
      </Fact>
    </dl>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Lines({ of }: { of: readonly string[] }) {
  if (of.length === 0) return <span className={styles['quiet']}>none</span>
  return (
    <ul className={styles['lines']}>
      {of.map((line, index) => (
        <li key={index}>
          <code>
            <Text>{line}</Text>
          </code>
        </li>
      ))}
    </ul>
  )
}

function Agents({ of }: { of: ProjectLaunchSettings['agents'] }) {
  const agents = Object.entries(of)
  if (agents.length === 0) {
    return <span className={styles['quiet']}>{`none: each has the rights ${standingRights}`}</span>
  }
  return (
    <ul className={styles['lines']}>
      {agents.map(([agent, { model, reasoningEffort, rights = standingRights, flags = [] }]) => (
        <li key={agent}>
          <strong>
            <Text>{agent}</Text>
          </strong>
          : rights {rights}
          {model !== undefined && (
            <>
              , model <Text>{model}</Text>
            </>
          )}
          {reasoningEffort !== undefined && (
            <>
              , effort <Text>{reasoningEffort}</Text>
            </>
          )}
          {flags.length > 0 && (
            <>
              , flags{' '}
              <code>
                <Text>{flags.join(' ')}</Text>
              </code>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function Checks({ of }: { of: ProjectLaunchSettings['checks'] }) {
  const checks = Object.entries(of)
  if (checks.length === 0) return <span className={styles['quiet']}>none</span>
  return (
    <ul className={styles['lines']}>
      {checks.map(([name, { command, timeoutSeconds = limits.checkSeconds }]) => (
        <li key={name}>
          <strong>
            <Text>{name}</Text>
          </strong>
          :{' '}
          <code>
            <Text>{command}</Text>
          </code>
          , {timeoutSeconds} seconds at most
        </li>
      ))}
    </ul>
  )
}
