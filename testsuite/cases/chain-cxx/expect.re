probed _ZN6shapes6square4areaEi _Z7measurePN6shapes5shapeEi main 
probed _ZN5guardD[12]Ev _Z7throweri(\.cold)? main 
probed main(\.cold)? 
