import { Markdown } from '../../ui/markdown.tsx'
import { Outside } from '../../ui/outside.tsx'
import { Text } from '../../ui/text.tsx'
import styles from './review.module.css'
import type { Delivery } from './story.ts'

/** What the agent left with its delivery: texts, and links that say where they lead. */
export function Artifacts({ artifacts }: { artifacts: Delivery['artifacts'] }) {
  return (
    <ul className={styles['artifacts']}>
      {artifacts.map(({ id, label, type, contentText, externalUrl }) => (
        <li key={id}>
          {contentText === null ? (
            <Label {...{ label, type, externalUrl }} />
          ) : (
            <details className={styles['fold']}>
              <summary>
                <Text>{label}</Text> <span className={styles['quiet']}>{type}</span>
              </summary>
              {externalUrl !== null && <Label {...{ label, type, externalUrl }} />}
              <Markdown>{contentText}</Markdown>
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}

type LabelProps = Pick<Delivery['artifacts'][number], 'label' | 'type' | 'externalUrl'>

function Label({ label, type, externalUrl }: LabelProps) {
  return (
    <>
      {externalUrl === null ? (
        <Text>{label}</Text>
      ) : (
        <Outside href={externalUrl}>
          <Text>{label}</Text>
        </Outside>
      )}{' '}
      <span className={styles['quiet']}>
        <Text>{type}</Text>
      </span>
    </>
  )
}
