import { useWorkspace } from '../../data/use-workspace.ts'
import { PageHead } from '../../shell/pages.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Text } from '../../ui/text.tsx'
import styles from './board.module.css'
import { useScene } from './scene.ts'

/** The name of the project, and what begins here. */
export function Head() {
  const { board, open } = useScene()
  const { rights } = useWorkspace()
  return (
    <PageHead title={<Text>{board.project.name}</Text>} project={board.project.slug}>
      <div className={styles['actions']}>
        {rights.mayCall('createMission') && (
          <Button look="first" aria-keyshortcuts="c" onClick={() => open({ what: 'create' })}>
            <Icon name="plus" />
            <span className={styles['new']}>
              New mission <Kbd>c</Kbd>
            </span>
          </Button>
        )}
        <Menu
          label="More of this board"
          trigger={<Icon name="more" />}
          items={[
            ...(rights.mayCall('orderProjectStatuses')
              ? [{ key: 'columns', text: 'Columns …', onChoose: () => open({ what: 'columns' }) }]
              : []),
            {
              key: 'deleted',
              text: 'Deleted missions …',
              onChoose: () => open({ what: 'deleted' }),
            },
          ]}
        />
      </div>
    </PageHead>
  )
}
