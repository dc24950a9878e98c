import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import styles from './order.module.css'

/** The class of a row that is put in order. */
export const sortable = styles['sortable'] ?? ''

interface OrderButtonsProps {
  onStep: (step: 1 | -1) => void
  /** Of what the row is about. */
  title: string
}

/** One place up, one place down, and by which a mouse takes the row along. */
export function OrderButtons({ onStep, title }: OrderButtonsProps) {
  return (
    <span className={styles['order']}>
      <Button look="bare" data-action="up" onClick={() => onStep(-1)}>
        <Icon name="up" />
        <Hidden>
          Move up: <Text>{title}</Text>
        </Hidden>
      </Button>
      <Button look="bare" data-action="down" onClick={() => onStep(1)}>
        <Icon name="down" />
        <Hidden>
          Move down: <Text>{title}</Text>
        </Hidden>
      </Button>
      <span className={styles['grip']} data-grip="" aria-hidden="true">
        <Icon name="grip" />
      </span>
    </span>
  )
}
