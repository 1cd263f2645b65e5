# fish completion for graze. The tool knows its commands, options and values: `graze complete WORD ...` lists them.
function __graze_complete
    set -l current (commandline -ct)
    set -l words (commandline -opc) "$current"
    for line in ($words[1] complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':mesh *'
                set -l endings (string split ' ' -- (string replace ':mesh ' '' -- $line))
                for entry in (__fish_complete_path $current)
                    set -l path (string split -m 1 \t -- $entry)[1]
                    if string match -q '*/' -- $path
                        echo $path
                        continue
                    end
                    for ending in $endings
                        if string match -q -i "*$ending" -- $path
                            echo $path
                            break
                        end
                    end
                end
            case :file
                __fish_complete_path $current
            case :folder
                __fish_complete_directories $current ''
            case '*'
                echo $line
        end
    end
end

complete -c graze -f -a '(__graze_complete)'
