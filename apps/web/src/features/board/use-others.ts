import { useEffect, useRef } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { announce } from '../../ui/announce.ts'
import { type Board, placeOf } from './board.ts'
import { type SeenMove, sayMoves } from './say-moves.ts'

const gatherMs = 2_000

/** Says what others move, some of it at a time. */
export function useOthers(board: Board, own: ReadonlySet<string>): void {
  const { listen } = useWorkspace()
  const shown = useRef(board)
  useEffect(() => {
    shown.current = board
  })
  useEffect(() => {
    let seen: SeenMove[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = () => {
      timer = undefined
      announce(sayMoves(seen))
      seen = []
    }
    const leave = listen((news) => {
      if (news.type !== 'change') return
      const { entity, operation, entityId, projectId, data } = news.change
      if (entity !== 'mission' || operation !== 'status' || own.has(entityId)) return
      const place = placeOf(shown.current, entityId)
      if (projectId !== shown.current.project.id || place === undefined) return
      // one's own, told of after its answer
      if (place.card.revision >= (news.change.revision ?? Infinity)) return
      seen.push({ displayId: place.card.displayId, to: String(data['label']) })
      timer ??= setTimeout(say, gatherMs)
    })
    return () => {
      leave()
      clearTimeout(timer)
    }
  }, [listen, own])
}
