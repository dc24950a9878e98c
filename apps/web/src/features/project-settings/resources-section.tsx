import type { ListedResource } from '@svc/contracts/listed-resource'
import type { Project } from '@svc/contracts/project'
import { useState } from 'react'
import { useRead } from '../../data/reads.ts'
import { useSilence } from '../../data/use-silence.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, Gone } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Rows } from '../../ui/list.tsx'
import { visible } from '../../words/visible.ts'
import { AddResource } from './add-resource.tsx'
import { ChangeResource } from './change-resource.tsx'
import { LinkCheckout } from './link-checkout.tsx'
import { resources } from './reads.ts'
import { RemoveResource } from './remove-resource.tsx'
import { type Opened, ResourceRow } from './resource-row.tsx'
import { Section } from './section.tsx'

/** The repositories of the project, and which runners have them. */
export function ResourcesSection({ project }: { project: Project }) {
  const { rights } = useWorkspace()
  const [opened, open] = useState<Opened>()
  const read = useRead(resources, { id: project.id })
  const mayAdd = rights.mayCall('linkProjectResource')
  useSilence(['listProjectResources'])
  return (
    <Section
      id="resources"
      title="Resources"
      actions={
        mayAdd && (
          <Button
            data-action="add-resource"
            aria-keyshortcuts="r"
            onClick={() => open({ what: 'add' })}
          >
            <Icon name="plus" /> Add a resource
          </Button>
        )
      }
    >
      <Shown of={read} rows={2}>
        {({ resources: shown }) =>
          shown.length === 0 ? (
            <p>
              There is no resource yet: its runs work in a folder of their own, without a
              repository.
            </p>
          ) : (
            <Rows label="Resources" items={shown} keyOf={({ resourceKey }) => resourceKey}>
              {(resource) => <ResourceRow project={project} resource={resource} open={open} />}
            </Rows>
          )
        }
      </Shown>
      {opened && (
        <Dialogs
          project={project}
          shown={read.data?.resources}
          opened={opened}
          onClose={() => open(undefined)}
        />
      )}
    </Section>
  )
}

interface DialogsProps {
  project: Project
  /** Undefined as long as nobody knows. */
  shown: readonly ListedResource[] | undefined
  opened: Opened
  onClose: () => void
}

function Dialogs({ project, shown, opened, onClose }: DialogsProps) {
  if (opened.what === 'add') {
    return <AddResource project={project} shown={shown} onClose={onClose} />
  }
  const resource = shown?.find(({ resourceKey }) => resourceKey === opened.key)
  // somebody else has just removed it
  if (resource === undefined) return <Gone onClose={onClose} />
  const given = { project, resource, onClose }
  if (opened.what === 'change') return <ChangeResource {...given} />
  if (opened.what === 'remove') return <RemoveResource {...given} />
  return (
    <Dialog title={`Link a checkout of ${visible(opened.key)}`} onClose={onClose} isSheet>
      <LinkCheckout {...given} />
    </Dialog>
  )
}
