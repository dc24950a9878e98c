import type { ListedResource } from '@svc/contracts/listed-resource'
import type { Project } from '@svc/contracts/project'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/text.tsx'
import { checkoutWords, resourceWords, runnerWords } from '../../words/runners.ts'
import styles from './settings.module.css'

/** What is open over the resources. */
export type Opened = { what: 'add' } | { what: 'link' | 'change' | 'remove'; key: string }

interface ResourceRowProps {
  project: Project
  resource: ListedResource
  open: (what: Opened) => void
}

/** A repository of the project: how it is linked, and which runners have it. */
export function ResourceRow({ project, resource, open }: ResourceRowProps) {
  const { rights } = useWorkspace()
  const { resourceKey: key, permission, primary, state, defaultBranch, cloneUrl } = resource
  return (
    <div className={styles['resource']} data-resource={key}>
      <div className={styles['line']}>
        <h3>
          <Text>{key}</Text>
        </h3>
        <Badge of={resourceWords[state]} />
        <span className={styles['quiet']}>
          {permission === 'ro' ? 'to read' : 'to read and write'}
          {primary && ', primary'}, from{' '}
          <code>
            <Text>{defaultBranch ?? project.defaultBranch}</Text>
          </code>
          {cloneUrl !== undefined && (
            <>
              , cloned from{' '}
              <code>
                <Text>{cloneUrl}</Text>
              </code>
            </>
          )}
        </span>
      </div>
      <Checkouts of={resource} />
      <div className={styles['actions']}>
        {rights.mayCall('claimExecutionRequest') && (
          <Button
            onClick={() => open({ what: 'link', key })}
            aria-label={`Link a checkout: ${key}`}
          >
            Link a checkout …
          </Button>
        )}
        {rights.mayCall('linkProjectResource') && (
          <Button onClick={() => open({ what: 'change', key })} aria-label={`Change ${key}`}>
            Change …
          </Button>
        )}
        {rights.mayCall('unlinkProjectResource') && (
          <Button onClick={() => open({ what: 'remove', key })} aria-label={`Remove ${key}`}>
            Remove …
          </Button>
        )}
      </div>
    </div>
  )
}

function Checkouts({ of: { resourceKey, checkouts } }: { of: ListedResource }) {
  if (checkouts.length === 0) return null
  const sorted = checkouts.toSorted((one, other) =>
    one.runner.label.localeCompare(other.runner.label),
  )
  return (
    <ul className={styles['checkouts']} aria-label={`Runners with ${resourceKey}`}>
      {sorted.map(({ runner, state }) => (
        <li key={runner.id}>
          <Text>{runner.label}</Text>
          <Badge of={state === 'usable' ? runnerWords[runner.state] : checkoutWords[state]} />
        </li>
      ))}
    </ul>
  )
}
