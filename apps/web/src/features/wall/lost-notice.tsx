import { SignInLink } from '../../shell/sign-in-link.tsx'
import { Age } from '../../ui/time.tsx'
import { clock } from '../../words/moment.ts'
import type { Lost } from './use-lost.ts'
import styles from './wall.module.css'

const words: Readonly<Record<Lost['how'], string>> = {
  away: 'Not connected',
  'signed-out': 'Signed out',
  'no-member': 'No member here any more',
}

/** What stands here may be old: read from as far away as all the rest. */
export function LostNotice({ lost: { how, at } }: { lost: Lost }) {
  const what = words[how]
  return (
    <p className={styles['lost']} role="status">
      {at === 0 ? (
        <>{what}: nothing has been heard of the service yet.</>
      ) : (
        <>
          {what} since {clock(at)}, for <Age since={new Date(at).toISOString()} />.
          {how !== 'no-member' && ' What stands here is as of then.'}
        </>
      )}{' '}
      {how === 'signed-out' && <SignInLink />}
    </p>
  )
}
