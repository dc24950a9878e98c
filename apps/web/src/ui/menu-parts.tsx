import { CSPProvider } from '@base-ui/react/csp-provider'
import { Menu as Base } from '@base-ui/react/menu'
import { Button } from './button.tsx'
import { Hidden } from './hidden.tsx'
import { Icon } from './icon.tsx'
import type { MenuProps } from './menu.tsx'
import styles from './menu.module.css'

/** The menu itself, loaded with the first that is opened. Opens at once. */
export function MenuParts({ label, trigger, items, look = 'bare', action, tabIndex }: MenuProps) {
  return (
    <CSPProvider disableStyleElements>
      <Base.Root defaultOpen>
        <Base.Trigger
          render={
            <Button look={look} aria-label={label} data-action={action} tabIndex={tabIndex} />
          }
        >
          {trigger}
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner className={styles['place']} sideOffset={4} align="start">
            <Base.Popup className={styles['popup']}>
              {items.map(({ key, text, href, word, isCurrent, onChoose }) => (
                <Base.Item
                  key={key}
                  className={styles['item']}
                  {...(href !== undefined && { render: <a href={href}>{text}</a> })}
                  {...(word !== undefined && { label: word })}
                  {...(onChoose && { onClick: onChoose })}
                >
                  {text}
                  {isCurrent && (
                    <span className={styles['current']}>
                      <Icon name="check" />
                      <Hidden>as it is now</Hidden>
                    </span>
                  )}
                </Base.Item>
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}
