import type { Artifact } from '@svc/contracts/artifact'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Outside } from '../../ui/outside.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import styles from './more.module.css'
import { useScene } from './scene.ts'

/** Texts and links that were kept with the mission. */
export function Artifacts() {
  const { shown, open } = useScene()
  const { rights } = useWorkspace()
  return (
    <>
      {shown.artifacts.length === 0 && (
        <p>
          Nothing was kept with this mission yet. An artifact is a text or a link that agents and
          people keep with it.
        </p>
      )}
      <ul className={styles['rows']}>
        {shown.artifacts.map((artifact) => (
          <li key={artifact.id}>
            <One
              artifact={artifact}
              onEdit={
                rights.mayCall('updateArtifact')
                  ? () => open({ what: 'artifact', artifact })
                  : undefined
              }
            />
          </li>
        ))}
      </ul>
      {rights.mayCall('createArtifact') && (
        <Button look="bare" onClick={() => open({ what: 'artifact', artifact: undefined })}>
          <Icon name="plus" /> Artifact
        </Button>
      )}
    </>
  )
}

function One({ artifact, onEdit }: { artifact: Artifact; onEdit: (() => void) | undefined }) {
  const { label, type, contentText, externalUrl, updatedAt } = artifact
  return (
    <>
      <span>
        {externalUrl === null ? (
          <strong>
            <Text>{label}</Text>
          </strong>
        ) : (
          <Outside href={externalUrl}>
            <Text>{label}</Text>
          </Outside>
        )}
      </span>
      <span className={styles['quiet']}>
        <Text>{type}</Text> · <Ago at={updatedAt} />
      </span>
      {contentText !== null && contentText !== '' && (
        <Fold summary="Read it">
          <div className={styles['content']}>
            <Markdown>{contentText}</Markdown>
          </div>
        </Fold>
      )}
      {onEdit && (
        <Button look="bare" aria-label={`Edit ${label}`} onClick={onEdit}>
          <Icon name="edit" /> Edit
        </Button>
      )}
    </>
  )
}
