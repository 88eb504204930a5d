# How every picture looks.  The caller adds what depends on the data: margins, ranges, labels.
set encoding utf8
set datafile missing
unset key                       # the caller lays the legend out below the plot

# Okabe and Ito's palette: eight colours that colour-blind readers tell apart.  Vermillion is kept
# for out of memory; line types 8 to 14 repeat the colours dashed.
array COLOR[7] = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#000000', '#f0e442']
# The same in pastel for areas; opaque, because what lies behind an area is not part of it.
array FILL[7] = ['#a6cee4', '#f6dda6', '#a6ddce', '#edd0e0', '#c4e5f7', '#a6a6a6', '#faf6bd']
do for [i = 1:7] {
	set linetype i linecolor rgb COLOR[i] linewidth 2 dashtype solid pointtype 7 pointsize 0.5
	set linetype 7 + i linecolor rgb COLOR[i] linewidth 2 dashtype 2 pointtype 5 pointsize 0.5
}
set linetype cycle 14
set style fill solid 1.0 noborder

# Frame: two sides only; guides over the areas, faint enough not to hide the lines.
set border 3 linecolor rgb '#606060' linewidth 1
set tics nomirror out scale 0.5 font TEXT_FONT textcolor rgb '#303030'
set grid ytics front linetype 1 linecolor rgb '#c0808080' linewidth 0.5 dashtype solid

# Arrows: 1 mark, 2 mark of out of memory, 3 level.
set style arrow 1 nohead linecolor rgb '#808080' linewidth 1 dashtype (6, 4)
set style arrow 2 nohead linecolor rgb '#d55e00' linewidth 1.8 dashtype (6, 4)
set style arrow 3 nohead linecolor rgb '#000000' linewidth 1.2 dashtype (10, 5)
MARK_COLOR = '#505050'
BAD_COLOR = '#b04a00'
SUBTITLE_COLOR = '#505050'
