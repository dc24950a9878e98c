function __svc_complete
    set -l before (commandline -opc)
    set -l typed (commandline -ct)
    set -l found (@complete@ $before[2..] "$typed" 2>/dev/null)
    switch "$found[1]"
        case files
            __fish_complete_path "$typed"
        case open closed
            printf '%s\n' $found[2..]
    end
end
complete -c svc -f -a '(__svc_complete)'
