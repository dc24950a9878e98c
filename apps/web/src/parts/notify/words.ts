import type { Standing } from './standing.ts'

/** What is shown, and when: said before somebody allows it. */
export const about = [
  'This browser can notify you when an agent asks something that is yours to answer, and when something of yours is delivered for review, as long as svc is open in one of its tabs.',
  'A notification has the id, and the beginning of what is asked or the title of what was delivered. It goes when its cause has gone, and none comes while you look at the page that shows it.',
  'This is for you alone, in this browser and in all of your workspaces.',
] as const

/** Why there are none, and the way out. */
export const hindrances: Readonly<Record<Exclude<Standing, 'open' | 'granted'>, string>> = {
  absent:
    'This browser shows no notifications of pages. Open svc in another one for them; what needs you is counted in the title of the tab in this one, too.',
  insecure:
    'This page came without HTTPS, and browsers show notifications of no such page. Open svc by HTTPS for them; what needs you is counted in the title of the tab here, too.',
  denied:
    'This browser was told to show no notifications of this page. To have them, open what it knows of this site by the sign before the address, allow notifications there, and come back.',
}

/** A browser that has notifications, and takes none of a page. Those of phones do so. */
export const refusedByBrowser =
  'This browser shows notifications of installed apps alone. Open svc in a browser on a laptop for them; what needs you is counted in the title of the tab in this one, too.'

export const turnedOn = {
  title: 'svc notifies you here',
  body: 'Of questions and deliveries of yours, as in this one.',
} as const
