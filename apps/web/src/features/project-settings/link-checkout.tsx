import type { ListedResource } from '@svc/contracts/listed-resource'
import type { Project } from '@svc/contracts/project'
import { useState } from 'react'
import { LinkCommand } from '../../parts/first-run/link-command.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import styles from './settings.module.css'

interface LinkCheckoutProps {
  project: Project
  resource: ListedResource
  onClose: () => void
}

/** A command for the machine, which then waits until a runner has the checkout. */
export function LinkCheckout({ project, resource, onClose }: LinkCheckoutProps) {
  const { resourceKey: key, permission } = resource
  const [before] = useState(() => new Set(runnersWith(resource).map(({ id }) => id)))
  const came = runnersWith(resource).filter(({ id }) => !before.has(id))
  return (
    <>
      <p>Run this on a machine that has the repository, and a runner.</p>
      <LinkCommand project={project.slug} resource={{ key, isReadOnly: permission === 'ro' }} />
      <p className={styles['waiting']} role="status">
        {came.length === 0 ? (
          'Waiting for a runner that has it. It appears here by itself.'
        ) : (
          <>
            <Icon name="check" /> <Text>{came.map(({ label }) => label).join(', ')}</Text> has it.
          </>
        )}
      </p>
      <DialogActions>
        <Button look={came.length > 0 ? 'first' : 'second'} onClick={onClose}>
          {came.length > 0 ? 'Done' : 'Close'}
        </Button>
      </DialogActions>
    </>
  )
}

/** Those that are here, and that runs are started on. */
function runnersWith({ checkouts }: ListedResource) {
  return checkouts
    .filter(({ runner, state }) => state === 'usable' && runner.state === 'connected')
    .map(({ runner }) => runner)
}
