import { cutText } from '@svc/contracts/cut-text'
import type { Need } from '@svc/contracts/need'
import { pathTo } from '../../shell/routes.ts'
import { wordsOfNeed } from '../../words/needs.ts'
import { plain } from '../../words/plain.ts'
import { visible } from '../../words/visible.ts'

/** Something that a person is notified of, once for each browser. */
export interface Cause {
  key: string
  title: string
  body: string
  /** Its page, below the workspace. */
  path: string
  /** Ids by which one sees whether it is shown already. */
  mission: string
  project: string
}

/** A notification; several causes that come together may have one. */
export interface Notice {
  /** The browser shows one of a name. */
  tag: string
  title: string
  body: string
  path: string
  keys: readonly string[]
}

/** So many stand for themselves when they come together. */
const mostAtOnce = 3
const mostCharacters = 200

/** Of what waits for a person: what agents ask, and what was delivered. */
export function causesIn(needs: readonly Need[]): Cause[] {
  return needs.flatMap((need): Cause[] => {
    if (!need.mine) return []
    if (need.kind === 'question') {
      const { displayId, title } = need.objective
      return [
        {
          key: `question/${need.id}`,
          title: onLine(`${displayId} asks`),
          body: onLine(need.question.question) || onLine(title),
          path: pathTo('objective', { objective: displayId }),
          mission: need.mission.displayId,
          project: need.project.slug,
        },
      ]
    }
    if (need.kind !== 'review' || need.delivery === null) return []
    const { displayId, title } = need.mission
    return [
      {
        // what is delivered into a review that goes on is another delivery
        key: `review/${need.id}/${need.delivery.id}`,
        title: onLine(`${displayId} is delivered`),
        body: onLine([title, ...wordsOfNeed(need).said].join(' · ')),
        path: pathTo('review', { mission: displayId }),
        mission: displayId,
        project: need.project.slug,
      },
    ]
  })
}

/** One for each of a few, and one for all of many. */
export function noticesOf(causes: readonly Cause[]): Notice[] {
  if (causes.length <= mostAtOnce) {
    return causes.map(({ key, title, body, path }) => ({
      tag: key,
      title,
      body,
      path,
      keys: [key],
    }))
  }
  const [first] = causes
  return [
    {
      tag: `${causes.length} with ${first?.key ?? ''}`,
      title: `${causes.length} questions and deliveries of yours`,
      body: causes
        .map(({ title }) => title)
        .join(', ')
        .slice(0, mostCharacters),
      path: pathTo('needs', {}),
      keys: causes.map(({ key }) => key),
    },
  ]
}

/** A text of others as one line that hides nothing: a notification is no page, and its marks would stand there. */
function onLine(text: string): string {
  return cutText(visible(plain(text).replace(/\s+/g, ' ').trim()), mostCharacters)
}
