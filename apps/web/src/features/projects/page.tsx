import { useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { useRead } from '../../data/reads.ts'
import { Link } from '../../shell/link.tsx'
import { PageHead } from '../../shell/pages.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Rows } from '../../ui/list.tsx'
import { Text } from '../../ui/text.tsx'
import { CreateProject } from '../../parts/project/create-project.tsx'
import { projectKeys } from './keys.ts'
import { projects } from './reads.ts'
import styles from './projects.module.css'

/** The projects of the workspace; a new one begins here. */
export function Page() {
  const { rights } = useWorkspace()
  const [isCreating, setCreating] = useState(false)
  const read = useRead(projects, {})
  const mayCreate = rights.mayCall('createProject')
  const create = () => setCreating(true)
  useKeys(mayCreate ? projectKeys({ create }) : [])
  return (
    <>
      <PageHead title="Projects">
        {mayCreate && (
          <Button look="first" onClick={create}>
            <Icon name="plus" /> New project
          </Button>
        )}
      </PageHead>
      <Shown of={read}>
        {({ projects: shown }) =>
          shown.length === 0 ? (
            <p>
              {mayCreate
                ? 'There is no project yet. A project is a repository or a few that agents work on: make the first one.'
                : 'There is no project yet. A member of this workspace makes the first one.'}
            </p>
          ) : (
            <Rows label="Projects" items={shown} keyOf={({ id }) => id}>
              {({ slug, name }) => (
                <div className={styles['row']}>
                  <Link to={pathTo('board', { project: slug })}>
                    <Text>{name}</Text>
                  </Link>
                  <code>{slug}</code>
                </div>
              )}
            </Rows>
          )
        }
      </Shown>
      {isCreating && <CreateProject onClose={() => setCreating(false)} />}
    </>
  )
}
