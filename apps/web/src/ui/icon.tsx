import styles from './icon.module.css'

/** All icons of the app, each a path in a square of 16. */
const paths = {
  attach: 'M11 4.5 6 9.5a1.8 1.8 0 0 0 2.5 2.5l5-5a3.4 3.4 0 0 0-4.8-4.8l-5 5',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1 1.5H3zM6.5 14.5h3',
  board: 'M2.5 3h3v10h-3zM6.5 3h3v6h-3zM10.5 3h3v8h-3z',
  branch: 'M5 3v10M5 9c0-2 6-1 6-4.5M11 4.5v-1',
  chart: 'M2.5 13.5h11M4.5 13V9M8 13V3.5M11.5 13V6.5',
  check: 'M3 8.5 6.5 12 13 4.5',
  chevron: 'm4 6 4 4 4-4',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  down: 'M8 3v10M4 9l4 4 4-4',
  edit: 'M3 13l.7-3L11 2.7 13.3 5 6 12.3z',
  fold: 'm6 4 4 4-4 4',
  folder: 'M2 4h4l1.5 2H14v7H2z',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  inbox: 'M2.5 9 4 3.5h8L13.5 9v3.5h-11zM2.5 9H6l.8 1.5h2.4L10 9h3.5',
  key: 'M6 9a3 3 0 1 1 2-2l5 5v2h-2v-1.5H9.5V11z',
  keyboard: 'M2 4.5h12v7H2zM4.5 7h.01M7 7h.01M9.5 7h.01M12 7h.01M5 9.5h6',
  log: 'M3 3h10v10H3zM5.5 6h5M5.5 8.5h5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  play: 'M5 3.5v9l7-4.5z',
  plus: 'M8 3v10M3 8h10',
  runner: 'M2.5 3.5h11v7h-11zM6 13.5h4M8 10.5v3',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3 3',
  shield: 'M8 2.5 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  up: 'M8 13V3M4 7l4-4 4 4',
  wall: 'M2 3h12v8H2zM5 13.5h6',
  webhook: 'M8 4a2 2 0 1 1 1.5 3.5L12 12M4 12a2 2 0 1 0 2-2.5L8 6M4 12h8',
} as const

export type IconName = keyof typeof paths

/** Next to a word that says the same; so nothing is said of it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
